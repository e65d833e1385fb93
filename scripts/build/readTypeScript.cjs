const { execFile } = require('node:child_process')
const { join } = require('node:path')
const { promisify } = require('node:util')

/**
 * Runs a script of this folder in a process of its own and returns what it prints as JSON. webpack reads TypeScript
 * only as CommonJS, and the sources of the console are modules that import each other without extensions.
 */
module.exports = async function readTypeScript(script, ...args) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', require.resolve('tsx'), join(__dirname, script), ...args],
    { maxBuffer: 1e8 },
  )
  return JSON.parse(stdout)
}
