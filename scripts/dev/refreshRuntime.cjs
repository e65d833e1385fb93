const runtime = require('react-refresh/runtime')

// The hook must be installed before React loads, because React looks for it only once.
runtime.injectIntoGlobalHook(globalThis)
globalThis.iotRefresh = runtime
