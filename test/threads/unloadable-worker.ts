// Fails before it can serve a call.
throw new Error("This script does not load.");
