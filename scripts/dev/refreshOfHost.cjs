// A console that was built for production has no refresh runtime. There this one does nothing, and a save mounts the
// remote again.
module.exports = globalThis.iotRefresh ?? require('react-refresh/runtime')
