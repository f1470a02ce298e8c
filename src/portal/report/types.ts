export type {
  ItemDetailEntry as Item,
  ItemVersionEntry as Version,
  ReportEntry as Report,
} from "../../client/routes.ts";
