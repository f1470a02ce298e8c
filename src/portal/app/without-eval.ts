// The page's policy forbids eval, and browsers report even a caught attempt by zod, which reads this when it loads.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
