import { config } from "zod/v4/core";

// The page's policy forbids eval, and browsers report even a caught attempt by zod.
config({ jitless: true });
