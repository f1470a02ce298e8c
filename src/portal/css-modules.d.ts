declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  // biome-ignore lint/style/noDefaultExport: bundlers export CSS modules as default
  export default classes;
}
