const { dirname, join } = require('node:path')

/**
 * Reduces `shared/screens/system` to path, title and permission of each screen in the browser. Calls and menu rows
 * are needed only by the server and the release record.
 */
module.exports = async function screens() {
  const done = this.async()
  const folder = dirname(this.resourcePath)
  this.addDependency(join(folder, 'area.ts'))
  for (const contract of ['../contract', 'contract'])
    this.addContextDependency(join(folder, contract))
  try {
    const { tsImport } = await import('tsx/esm/api')
    const declared = await tsImport(this.resourcePath, __filename)
    const lines = Object.entries(declared).map(
      ([name, area]) => `export const ${name} = ${JSON.stringify(area)}`,
    )
    done(null, lines.join('\n'))
  } catch (error) {
    done(error)
  }
}
