# Publishes a file, a directory, HTML, a widget, a plot or a data frame, and returns its links.
# man/publish.Rd describes the arguments.
publish <- function(x, name = NULL, title = NULL, public = FALSE, visibility = NULL, tags = character(),
                    folder = NULL, message = NULL, owner = NULL, storage = NULL, url = NULL, token = NULL) {
  if (public && !is.null(visibility) && visibility != "public") {
    refuse("public = TRUE and visibility = \"", visibility, "\" contradict each other. Pass one of them.")
  }
  access <- find_access(url, token)
  directory <- tempfile("vitrine-")
  dir.create(directory)
  on.exit(unlink(directory, recursive = TRUE))
  files <- files_of(x, title, directory)
  check_limits(files)
  options <- list(
    name = name, title = title, note = message, folder = folder, owner = owner,
    visibility = if (public) "public" else visibility, storage = storage
  )
  published <- if (!is.null(name)) find_current(access, name, files, title, storage)
  if (is.null(published)) published <- upload(access, Filter(Negate(is.null), options), files)
  if (published$is_new) for (warning in published$warnings) base::message("vitrine: ", warning)
  if (length(tags) > 0) add_tags(access, published, tags)
  published
}

format.vitrine_published <- function(x, ...) x$url

print.vitrine_published <- function(x, ...) {
  cat(if (x$is_new) "Published" else "No changes. Already published", ": ", x$url, "\n", sep = "")
  invisible(x)
}

FILES_PER_REPORT <- 100
FILE_BYTES <- 1e7
REPORT_BYTES <- 2e7

check_limits <- function(files) {
  sizes <- file.size(files)
  largest <- utils::head(order(-sizes), 3)
  described <- paste0(names(files)[largest], " (", format(round(sizes[largest] / 1e6, 1), nsmall = 1), " MB)", collapse = ", ")
  if (length(files) > FILES_PER_REPORT) {
    refuse("The report has ", length(files), " files. A report can have at most ", FILES_PER_REPORT, ".")
  }
  if (max(sizes) > FILE_BYTES) refuse("A file can have at most 10 MB. The largest files: ", described, ".")
  if (sum(sizes) > REPORT_BYTES) {
    refuse("The report has ", round(sum(sizes) / 1e6, 1), " MB, and at most 20 MB are possible. The largest files: ", described, ".")
  }
}

# Returns the current version of a report if it has the same content, otherwise NULL.
find_current <- function(access, name, files, title, storage) {
  item <- call_api(access, "/api/item", query = list(name = name), missing = NULL)
  if (is.null(item)) return(NULL)
  version <- call_api(access, "/api/report", query = list(code = item$code), missing = NULL)
  if (is.null(version)) return(NULL)
  stored <- vapply(version$files, function(file) file$sha256, "")
  names(stored) <- vapply(version$files, function(file) file$path, "")
  digests <- vapply(files, digest_of, "")
  is_same <- setequal(names(stored), names(digests)) && all(stored[names(digests)] == digests) &&
    (is.null(title) || identical(title, version$document_title)) && (is.null(storage) || identical(storage, version$storage))
  if (!is_same) return(NULL)
  as_published(list(
    code = version$code, name = name, nameUrl = item$live_url, url = version$url, owner = version$owner_slug,
    visibility = version$visibility, warnings = version$warnings
  ), is_new = FALSE)
}

digest_of <- function(path) {
  connection <- file(path, "rb")
  on.exit(close(connection))
  paste(as.character(openssl::sha256(connection)), collapse = "")
}

upload <- function(access, options, files) {
  # Sends each file under the name that it has.
  parts <- lapply(unname(files), curl::form_file, type = "application/octet-stream")
  names(parts) <- rep("files", length(parts))
  # A request that is sent again with the same key takes effect once.
  key <- paste(openssl::rand_bytes(16), collapse = "")
  as_published(call_api(access, "/api/upload", form = c(options, parts), key = key), is_new = TRUE)
}

as_published <- function(answer, is_new) {
  structure(
    list(
      url = if (is.null(answer$nameUrl)) answer$url else answer$nameUrl, version_url = answer$url, code = answer$code,
      name = answer$name, owner = answer$owner, visibility = answer$visibility, is_new = is_new,
      warnings = as.character(unlist(answer$warnings))
    ),
    class = "vitrine_published"
  )
}

# Adds tags, and creates those that don't exist. A failure doesn't undo the publish.
add_tags <- function(access, published, tags) {
  tryCatch(
    {
      ids <- vapply(tags, function(path) tag_id(access, published$owner, strsplit(path, "/", fixed = TRUE)[[1]]), "")
      item <- if (is.null(published$name)) list(code = published$code) else list(name = published$name)
      call_api(access, "/api/items/tags", body = list(items = list(item), add = as.list(unname(ids))))
    },
    vitrine_error = function(error) {
      refuse("The report was published at ", published$url, ", but not tagged. ", conditionMessage(error))
    }
  )
}

# Creating a tag that exists returns it.
tag_id <- function(access, owner, titles) {
  parent <- NULL
  for (title in trimws(titles)) {
    body <- list(owner = owner, title = title, parent_id = parent)
    parent <- call_api(access, "/api/tags/create", body = Filter(Negate(is.null), body))$id
  }
  parent
}
