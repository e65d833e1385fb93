import ts from 'typescript'

/**
 * In the browser an endpoint is its method, path, title and permission: its schemas are checked by the server. And a
 * schema that no screen names is left out. So login carries no zod, and a list only the schemas of its own resource.
 */
export const contractOnDemand: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
  if (!/[/\\]shared[/\\]src[/\\]contract[/\\]/.test(file.fileName)) return file
  const { factory } = context

  const withoutSchemas = (node: ts.Node): ts.Node => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'endpoint') {
      const declaration = node.arguments[0]
      if (declaration && ts.isObjectLiteralExpression(declaration))
        return factory.updateCallExpression(node, node.expression, undefined, [
          factory.createObjectLiteralExpression(
            declaration.properties.filter((one) => !one.name || !/^(input|output)$/.test(one.name.getText(file))),
          ),
        ])
    }
    return ts.visitEachChild(node, withoutSchemas, context)
  }

  // webpack drops an unused call only when it is marked pure and has no arguments that are not.
  const pure = (expression: ts.Expression) =>
    ts.addSyntheticLeadingComment(
      factory.createCallExpression(
        factory.createParenthesizedExpression(
          factory.createArrowFunction(undefined, undefined, [], undefined, undefined, factory.createParenthesizedExpression(expression)),
        ),
        undefined,
        [],
      ),
      ts.SyntaxKind.MultiLineCommentTrivia,
      '#__PURE__',
      false,
    )

  const onDemand = (node: ts.Statement) => {
    if (!ts.isVariableStatement(node)) return node
    const declarations = node.declarationList.declarations.map((one) => {
      if (!one.initializer || ts.isArrowFunction(one.initializer) || !ts.isIdentifier(one.name)) return one
      return factory.updateVariableDeclaration(one, one.name, undefined, one.type, pure(withoutSchemas(one.initializer) as ts.Expression))
    })
    return factory.updateVariableStatement(node, node.modifiers, factory.updateVariableDeclarationList(node.declarationList, declarations))
  }
  return factory.updateSourceFile(file, file.statements.map(onDemand))
}

const ofContract = /^(@iot\/shared|\.\.?)\/(.*\/)?contract\/\w+$/

/**
 * Takes `brandApi` from `contract/brand?endpoints`, a module of its own. webpack keeps what any page of a build uses of
 * a module; without this the one form that names a schema would put it, and zod, where only the call is made.
 */
export const endpointsApart: ts.TransformerFactory<ts.SourceFile> =
  ({ factory }) =>
  (file) =>
    factory.updateSourceFile(
      file,
      file.statements.flatMap((node) => {
        if (!ts.isImportDeclaration(node) || !node.importClause || node.importClause.isTypeOnly) return node
        const specifier = (node.moduleSpecifier as ts.StringLiteral).text
        const bindings = node.importClause.namedBindings
        if (!ofContract.test(specifier) || !bindings || !ts.isNamedImports(bindings)) return node
        const values = bindings.elements.filter((one) => !one.isTypeOnly)
        const isCall = (one: ts.ImportSpecifier) => /Api$/.test((one.propertyName ?? one.name).text)
        const from = (elements: ts.ImportSpecifier[], place: string) =>
          elements.length === 0
            ? []
            : factory.createImportDeclaration(
                undefined,
                factory.createImportClause(undefined, undefined, factory.createNamedImports(elements)),
                factory.createStringLiteral(place),
              )
        return [
          from(values.filter((one) => !isCall(one)), specifier),
          from(values.filter(isCall), `${specifier}?endpoints`),
        ].flat()
      }),
    )
