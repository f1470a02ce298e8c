import { z } from "zod";

// The page's policy forbids eval, and zod would try it: browsers report even an attempt that is caught.
z.config({ jitless: true });
