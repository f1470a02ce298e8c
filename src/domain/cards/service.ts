export { createCards as createService } from "./cards.ts";
