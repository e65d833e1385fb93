module.exports = globalThis.iotRefresh
