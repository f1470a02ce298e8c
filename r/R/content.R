# Returns the paths of a report's files. Each is named as in the report.
files_of <- function(x, title, directory) {
  if (is.character(x) && length(x) == 1 && !startsWith(trimws(x), "<")) return(files_at(x, directory))
  index <- file.path(directory, "index.html")
  write_index(x, title, index)
  c(index.html = index)
}

files_at <- function(path, directory) {
  if (!file.exists(path)) refuse("There is no file or directory \"", path, "\".")
  if (!dir.exists(path)) {
    if (!grepl("\\.html?$", path, ignore.case = TRUE)) {
      refuse("\"", basename(path), "\" isn't HTML. Render it first, for example with rmarkdown::render or quarto::quarto_render.")
    }
    index <- file.path(directory, "index.html")
    file.copy(path, index)
    return(c(index.html = index))
  }
  # Hidden files are left out.
  names <- list.files(path, recursive = TRUE)
  inner <- grep("/", names, value = TRUE)
  if (length(inner) > 0) {
    refuse("Reports can't contain folders, such as ", dirname(inner[[1]]), ". Run vitrine publish --flatten \"", path, "\" in a terminal.")
  }
  if (!"index.html" %in% names) refuse("\"", path, "\" has no index.html.")
  stats::setNames(file.path(path, names), names)
}

write_index <- function(x, title, index) {
  if (is.character(x)) {
    writeLines(enc2utf8(x), index, useBytes = TRUE)
  } else if (inherits(x, "htmlwidget")) {
    need("htmlwidgets", "widgets")
    htmlwidgets::saveWidget(x, index, selfcontained = TRUE, title = if (is.null(title)) "Report" else title)
  } else if (inherits(x, c("shiny.tag", "shiny.tag.list", "html"))) {
    need("htmltools", "tags")
    write_page(as.character(htmltools::as.tags(x)), title, index)
  } else if (inherits(x, c("ggplot", "recordedplot", "trellis"))) {
    write_page(c("<figure>", svg_of(x), "</figure>"), title, index)
  } else if (is.data.frame(x) || is.matrix(x)) {
    write_page(table_of(as.data.frame(x)), title, index)
  } else {
    refuse("An object of class ", class(x)[[1]], " can't be published. Publish a path, HTML, a widget, a plot or a data frame.")
  }
}

need <- function(package, what) {
  if (!requireNamespace(package, quietly = TRUE)) refuse("Publishing ", what, " takes the package ", package, ". Install it first.")
}

svg_of <- function(plot) {
  file <- tempfile(fileext = ".svg")
  on.exit(unlink(file))
  grDevices::svg(file, width = 9, height = 5.5)
  tryCatch(print(plot), finally = grDevices::dev.off())
  # Without the XML declaration, which HTML doesn't have.
  grep("^<\\?xml", readLines(file, encoding = "UTF-8"), value = TRUE, invert = TRUE)
}

table_of <- function(data) {
  is_number <- vapply(data, is.numeric, NA)
  cells <- mapply(
    function(column, number) paste0("<td", if (number) " class=\"number\"", ">", escape(format_column(column)), "</td>"),
    data, is_number,
    SIMPLIFY = FALSE
  )
  rows <- if (nrow(data) > 0) paste0("<tr>", do.call(paste0, unname(cells)), "</tr>")
  head <- paste0("<th", ifelse(is_number, " class=\"number\"", ""), ">", escape(names(data)), "</th>", collapse = "")
  c("<table>", "<thead>", paste0("<tr>", head, "</tr>"), "</thead>", "<tbody>", rows, "</tbody>", "</table>")
}

format_column <- function(column) {
  text <- if (is.numeric(column)) vapply(column, format, "", digits = 15) else as.character(column)
  ifelse(is.na(column), "", text)
}

escape <- function(text) {
  text <- gsub("&", "&amp;", enc2utf8(text), fixed = TRUE)
  gsub("\"", "&quot;", gsub("<", "&lt;", text, fixed = TRUE), fixed = TRUE)
}

STYLE <- paste(
  ":root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }",
  "body { max-width: 1100px; margin: 32px auto; padding: 0 20px; }",
  "h1 { font-size: 26px; font-weight: 500; }",
  "figure { margin: 0; overflow-x: auto; background: #fff; border-radius: 8px; }",
  "svg { max-width: 100%; height: auto; }",
  "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }",
  "th, td { padding: 6px 14px; border-bottom: 1px solid #8884; text-align: left; }",
  ".number { text-align: right; }",
  sep = "\n"
)

write_page <- function(content, title, index) {
  title <- if (is.null(title)) "Report" else title
  page <- c(
    "<!doctype html>", "<meta charset=\"utf-8\">", "<meta name=\"viewport\" content=\"width=device-width\">",
    paste0("<title>", escape(title), "</title>"), "<style>", STYLE, "</style>", paste0("<h1>", escape(title), "</h1>"), content
  )
  writeLines(enc2utf8(page), index, useBytes = TRUE)
}
