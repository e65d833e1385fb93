const { dirname, join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { statSync } = require('node:fs')

/**
 * Reduces `contract/brand?titles` to the Chinese titles of each schema's fields, which is all that a table header
 * needs, and to texts for codes and limits, which are plain values. zod (19 kB compressed) is loaded with the first
 * form.
 */
module.exports = async function titles() {
  const done = this.async()
  // Titles of shared fields come from the other files of this folder.
  this.addContextDependency(dirname(this.resourcePath))
  try {
    const contract = await import(
      `${pathToFileURL(this.resourcePath).href}?${statSync(this.resourcePath).mtimeMs}`
    )
    const { getFieldTitle } = await import(
      pathToFileURL(join(__dirname, '../../shared/src/contract/fieldTitle.ts')).href
    )
    const lines = Object.entries(contract)
      .filter(([, schema]) => schema && typeof schema === 'object' && 'shape' in schema)
      .map(([name, schema]) => {
        const fields = Object.keys(schema.shape).map(
          (field) =>
            `${JSON.stringify(field)}: titled(${JSON.stringify(getFieldTitle(schema, field))})`,
        )
        return `export const ${name} = { shape: { ${fields.join(', ')} } }`
      })
    const words = Object.entries(contract)
      .filter(([name]) => /(Text|Max)$/.test(name))
      .map(([name, value]) => {
        if (typeof value === 'function')
          throw new Error(
            `${name}: what ends in Text or Max is a plain value; name a function otherwise`,
          )
        return `export const ${name} = ${JSON.stringify(value)}`
      })
    done(
      null,
      ['const titled = (title) => ({ meta: () => ({ title }) })', ...lines, ...words].join('\n'),
    )
  } catch (error) {
    done(error)
  }
}
