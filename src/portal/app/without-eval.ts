import { config } from "zod/v4/core";

// The page's policy forbids eval, and zod would try it: browsers report even an attempt that is caught.
config({ jitless: true });
