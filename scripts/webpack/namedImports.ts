import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const require = createRequire(import.meta.url)

/**
 * Reads the module of each export from the index of a package: `Table` → `{from: 'antd/es/table', name: 'default'}`.
 */
function readExports(pkg: string, resolve: NodeRequire) {
  const index = readFileSync(
    join(dirname(resolve.resolve(`${pkg}/package.json`)), 'es/index.js'),
    'utf8',
  )
  const source = ts.createSourceFile('index.js', index, ts.ScriptTarget.Latest)
  const exportMap = new Map<string, { from: string; name: string }>()
  const importMap = new Map<string, { from: string; name: string }>()
  const toModulePath = (specifier: ts.Expression) =>
    (specifier as ts.StringLiteral).text.replace(/^\./, `${pkg}/es`)
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node) && node.importClause) {
      const from = toModulePath(node.moduleSpecifier)
      const { name, namedBindings } = node.importClause
      if (name) importMap.set(name.text, { from, name: 'default' })
      if (namedBindings && ts.isNamedImports(namedBindings))
        for (const element of namedBindings.elements)
          importMap.set(element.name.text, {
            from,
            name: (element.propertyName ?? element.name).text,
          })
    }
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause))
      for (const element of node.exportClause.elements) {
        const importedName = (element.propertyName ?? element.name).text
        const target = node.moduleSpecifier
          ? { from: toModulePath(node.moduleSpecifier), name: importedName }
          : importMap.get(importedName)
        if (target) exportMap.set(element.name.text, target)
      }
  }
  return exportMap
}

/**
 * Turns `import { Table } from 'antd'` into `import Table from 'antd/es/table'`, also for ahooks and icons, so that
 * each module can be shared, loaded and left out separately. An unknown name stops the build.
 */
export function createNamedImports(
  resolve: NodeRequire = require,
): ts.TransformerFactory<ts.SourceFile> {
  const packages: Record<string, (name: string) => { from: string; name: string } | undefined> = {
    antd: (
      (all) => (name: string) =>
        all.get(name)
    )(readExports('antd', resolve)),
    ahooks: (
      (all) => (name: string) =>
        all.get(name)
    )(readExports('ahooks', resolve)),
    '@ant-design/icons': (name) => ({
      from: `@ant-design/icons/es/icons/${name}`,
      name: 'default',
    }),
  }
  return ({ factory }) =>
    (file) =>
      factory.updateSourceFile(
        file,
        file.statements.flatMap((node) => {
          if (!ts.isImportDeclaration(node) || !node.importClause || node.importClause.isTypeOnly)
            return node
          const specifier = (node.moduleSpecifier as ts.StringLiteral).text
          const find = packages[specifier]
          const bindings = node.importClause.namedBindings
          if (!find) return node
          if (!bindings || !ts.isNamedImports(bindings))
            throw new Error(
              `${file.fileName}: import ${specifier} by name, as in import { Name } from '${specifier}'`,
            )
          return bindings.elements
            .filter((element) => !element.isTypeOnly)
            .map((element) => {
              const exportName = (element.propertyName ?? element.name).text
              const target = find(exportName)
              if (!target) throw new Error(`${file.fileName}: ${specifier} has no ${exportName}`)
              const clause =
                target.name === 'default'
                  ? factory.createImportClause(undefined, element.name, undefined)
                  : factory.createImportClause(
                      undefined,
                      undefined,
                      factory.createNamedImports([
                        factory.createImportSpecifier(
                          false,
                          factory.createIdentifier(target.name),
                          element.name,
                        ),
                      ]),
                    )
              return factory.createImportDeclaration(
                undefined,
                clause,
                factory.createStringLiteral(target.from),
              )
            })
        }),
      )
}
