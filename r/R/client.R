# Finds the server and the access token as the command line does.
find_access <- function(url, token) {
  url <- first(url, Sys.getenv("VITRINE_URL"))
  token <- first(token, Sys.getenv("VITRINE_TOKEN"))
  stored <- if (is.null(url) || is.null(token)) read_credentials()
  address <- origin_of(first(url, stored$url, "http://localhost:4000"))
  # A stored token is never sent to another server.
  if (is.null(token) && !is.null(stored) && origin_of(stored$url) == address) token <- stored$token
  if (is.null(token)) refuse("You're not signed in. Run vitrine login in a terminal, or set VITRINE_TOKEN.")
  list(url = address, token = token)
}

# Returns the first argument that has text, otherwise NULL.
first <- function(...) {
  for (value in list(...)) if (!is.null(value) && nzchar(trimws(value))) return(trimws(value))
  NULL
}

origin_of <- function(url) {
  origin <- regmatches(url, regexpr("^https?://[^/?#]+", url))
  if (length(origin) == 0) refuse("\"", url, "\" isn't a valid server address. Use one such as http://localhost:4000.")
  sub("//[^@]*@", "//", origin)
}

read_credentials <- function() {
  file <- file.path(config_directory(), "vitrine", "credentials.json")
  if (!file.exists(file)) return(NULL)
  damaged <- function(...) refuse("\"", file, "\" is damaged. Run vitrine login to create it again.")
  stored <- tryCatch(jsonlite::read_json(file), error = damaged)
  profile <- first(Sys.getenv("VITRINE_PROFILE"))
  if (!is.null(profile) && profile != "default") {
    stored <- stored$profiles[[profile]]
    if (is.null(stored)) refuse("There is no profile \"", profile, "\". Run vitrine login --profile ", profile, " to create it.")
  } else if (is.null(stored$url) && !is.null(stored$profiles)) {
    return(NULL)
  }
  if (!is.character(stored$url) || !is.character(stored$token)) damaged()
  stored
}

config_directory <- function() {
  home <- first(Sys.getenv("HOME"), path.expand("~"))
  if (Sys.info()[["sysname"]] == "Darwin") return(file.path(home, "Library", "Application Support"))
  if (.Platform$OS.type == "windows") return(first(Sys.getenv("APPDATA"), file.path(home, "AppData", "Roaming")))
  configured <- first(Sys.getenv("XDG_CONFIG_HOME"))
  # The XDG specification says to ignore relative paths.
  if (!is.null(configured) && startsWith(configured, "/")) configured else file.path(home, ".config")
}

NOT_MISSING <- "not missing"
# Nothing has happened after the first two; the outcome of a request with the others is unknown.
TEMPORARY <- c(429, 503, 502, 504)

# Returns the answer of a route. `missing` is returned instead of an error if there is no such thing.
call_api <- function(access, path, query = NULL, body = NULL, form = NULL, key = NULL, missing = NOT_MISSING) {
  request <- httr2::request(paste0(access$url, path))
  request <- httr2::req_auth_bearer_token(request, access$token)
  request <- httr2::req_user_agent(request, "vitrine-r")
  if (!is.null(query)) request <- do.call(httr2::req_url_query, c(list(request), query))
  if (!is.null(body)) request <- httr2::req_body_json(request, body)
  if (!is.null(form)) request <- do.call(httr2::req_body_multipart, c(list(request), form))
  if (!is.null(key)) request <- httr2::req_headers(request, `Idempotency-Key` = key)
  # A form has a key, and the other routes can be called again.
  request <- httr2::req_retry(request, max_tries = 4, is_transient = function(answer) httr2::resp_status(answer) %in% TEMPORARY)
  request <- httr2::req_error(request, is_error = function(answer) FALSE)
  answer <- tryCatch(httr2::req_perform(request), error = function(error) {
    refuse("Can't reach the server at ", access$url, ". Check that it is running and that VITRINE_URL is correct.")
  })
  read_answer(answer, access, missing)
}

read_answer <- function(answer, access, missing) {
  status <- httr2::resp_status(answer)
  content <- tryCatch(jsonlite::fromJSON(httr2::resp_body_string(answer), simplifyVector = FALSE), error = function(error) NULL)
  if (status < 400 && is.list(content)) return(content)
  if (status %in% c(400, 404) && !identical(missing, NOT_MISSING)) return(missing)
  if (is.null(content$error)) refuse(access$url, " doesn't look like a Vitrine server. Check VITRINE_URL.")
  refuse(content$error, if (status == 401) " Run vitrine login in a terminal, or set VITRINE_TOKEN to a valid token.")
}

# Stops with a message that says what to do. Handlers can tell it by the class `vitrine_error`.
refuse <- function(...) {
  stop(structure(class = c("vitrine_error", "error", "condition"), list(message = paste0(...), call = NULL)))
}
