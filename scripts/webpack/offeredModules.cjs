const { existsSync, readdirSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')

/** Lists the folders of a package that are a module each, such as `antd/es/table`. */
const listFolders = (folder, pattern) =>
  readdirSync(folder).filter(
    (name) => pattern.test(name) && existsSync(join(folder, name, 'index.js')),
  )

/** The extension of a folder's modules, as the `exports` of its package.json name it. */
const sharedFolders = { client: '.ts', session: '.ts', ui: '.tsx', plan: '.tsx', control: '.tsx' }

/** Writes one import per shared module that a remote may use, because a build shares only what it imports. */
module.exports = function offeredModules(source) {
  const resolve = createRequire(this.resourcePath).resolve
  const root = join(dirname(this.resourcePath), '../../..')
  const listPackage = (name, pattern) =>
    listFolders(join(dirname(resolve(`${name}/package.json`)), 'es'), pattern).map(
      (part) => `${name}/es/${part}`,
    )
  const listSources = ([part, extension]) => {
    const folder = join(root, 'shared/src', part)
    this.addContextDependency(folder)
    return readdirSync(folder)
      .filter((file) => /^\w+\.tsx?$/.test(file) && file.endsWith(extension))
      .map((file) => `@iot/shared/${part}/${file.slice(0, -extension.length)}`)
  }
  const names = [
    // antd's App has no provider here; `@iot/shared/ui/feedback` takes its place.
    ...listPackage('antd', /^(?!app$)[a-z-]+$/),
    ...listPackage('ahooks', /^use\w+$/),
    ...Object.entries(sharedFolders).flatMap(listSources),
  ]
  return [source, ...names.map((name) => `import '${name}'`)].join('\n')
}
