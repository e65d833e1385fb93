const runtime = require('react-refresh/runtime')

// Before React is there, which looks for it once.
runtime.injectIntoGlobalHook(globalThis)
globalThis.iotRefresh = runtime
