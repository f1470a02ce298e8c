declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: what bundlers make of such a file
  export default classes;
}
