import ts from 'typescript'

/**
 * Reduces an endpoint to its method, path, title and permission in the browser, because the server checks its
 * schemas. Schemas that no screen uses are removed. As a result sign-in carries no zod, and a list only the schemas
 * of its own resource.
 */
export const stripEndpointSchemas: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
  if (!/[/\\]src[/\\]contract[/\\]/.test(file.fileName)) return file
  const { factory } = context

  const removeSchemas = (node: ts.Node): ts.Node =>
    ts.isObjectLiteralExpression(node)
      ? factory.updateObjectLiteralExpression(
          node,
          node.properties
            .filter(
              (property) => !property.name || !/^(input|output)$/.test(property.name.getText(file)),
            )
            .map((property) => ts.visitEachChild(property, removeSchemas, context)),
        )
      : ts.visitEachChild(node, removeSchemas, context)

  // webpack drops an unused call only if it is marked pure and its arguments are pure too.
  const markPure = (expression: ts.Expression) =>
    ts.addSyntheticLeadingComment(
      factory.createCallExpression(
        factory.createParenthesizedExpression(
          factory.createArrowFunction(
            undefined,
            undefined,
            [],
            undefined,
            undefined,
            factory.createParenthesizedExpression(expression),
          ),
        ),
        undefined,
        [],
      ),
      ts.SyntaxKind.MultiLineCommentTrivia,
      '#__PURE__',
      false,
    )

  const makeDroppable = (node: ts.Statement) => {
    if (!ts.isVariableStatement(node)) return node
    const declarations = node.declarationList.declarations.map((declaration) => {
      if (!declaration.initializer || !ts.isIdentifier(declaration.name)) return declaration
      const declaresCalls =
        declaration.name.text.endsWith('Api') || declaration.name.text === 'resource'
      const initializer = declaresCalls
        ? (removeSchemas(declaration.initializer) as ts.Expression)
        : declaration.initializer
      return factory.updateVariableDeclaration(
        declaration,
        declaration.name,
        undefined,
        declaration.type,
        ts.isArrowFunction(initializer) ? initializer : markPure(initializer),
      )
    })
    return factory.updateVariableStatement(
      node,
      node.modifiers,
      factory.updateVariableDeclarationList(node.declarationList, declarations),
    )
  }
  return factory.updateSourceFile(file, file.statements.map(makeDroppable))
}

const contractPathPattern = /^(@iot\/shared|\.\.?)\/(.*\/)?contract\/\w+$/

/**
 * Splits imports of a contract: `brandApi` comes from `contract/brand?endpoints`; texts (`spaceTypeText`), limits
 * (`importMax`) and schemas that only name columns come from `contract/brand?titles`. They are separate modules
 * because webpack keeps everything that any page of a build uses of a module; otherwise one form that validates with
 * a schema would add it, and zod, to pages that only make calls or show tables.
 */
export const splitContractImports: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
  const { factory } = context
  const importFrom = (elements: ts.ImportSpecifier[], source: string) =>
    elements.length === 0
      ? []
      : [
          factory.createImportDeclaration(
            undefined,
            factory.createImportClause(undefined, undefined, factory.createNamedImports(elements)),
            factory.createStringLiteral(source),
          ),
        ]
  return factory.updateSourceFile(
    file,
    file.statements.flatMap((node) => {
      if (!ts.isImportDeclaration(node) || !node.importClause || node.importClause.isTypeOnly)
        return node
      const specifier = (node.moduleSpecifier as ts.StringLiteral).text
      const bindings = node.importClause.namedBindings
      if (!contractPathPattern.test(specifier) || !bindings || !ts.isNamedImports(bindings))
        return node
      const elementsByQuery: Record<string, ts.ImportSpecifier[]> = {
        '': [],
        '?endpoints': [],
        '?titles': [],
      }
      for (const element of bindings.elements) {
        if (element.isTypeOnly) continue
        const exported = (element.propertyName ?? element.name).text
        const isPlainText =
          /(Text|Max)$/.test(exported) || isUsedForColumnsOnly(file, element.name.text)
        elementsByQuery[
          exported.endsWith('Api') ? '?endpoints' : isPlainText ? '?titles' : ''
        ]!.push(element)
      }
      return Object.entries(elementsByQuery).flatMap(([query, elements]) =>
        importFrom(elements, specifier + query),
      )
    }),
  )
}

/** True if a name appears in the file only as the first argument of `column(…)`, apart from types. */
function isUsedForColumnsOnly(file: ts.SourceFile, name: string) {
  let columnUses = 0
  let otherUses = 0
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return
    if (ts.isIdentifier(node) && node.text === name) {
      const { parent } = node
      const isColumn =
        ts.isCallExpression(parent) &&
        parent.arguments[0] === node &&
        ts.isIdentifier(parent.expression) &&
        parent.expression.text === 'column'
      if (isColumn) columnUses++
      else otherUses++
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return columnUses > 0 && otherUses === 0
}
