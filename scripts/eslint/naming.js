/** Names that say what happened to a thing instead of what the thing is; `left` is missing, because it is a side too. */
const bareParticiples = new Set(
  `said told kept taken given sent heard shown known seen held lost gone done made meant asked wanted found read
  written drawn built chosen begun broken spoken forgotten hidden bound caught fed felt fought grown hung laid led lent
  met paid put risen sold shut slept spent stood struck swept taught thought thrown torn understood won worn wound
  answered named counted listed marked moved opened closed saved stored used called changed joined passed placed refused
  removed settled started stopped touched tried turned waited watched wished whole unseen unsure able alone among`.split(
    /\s+/,
  ),
)
const durationPattern = /(^|[a-z])([Tt]imeout|[Dd]elay|[Ii]nterval|[Dd]uration|[Pp]eriod|[Tt]tl)$/

/** True for `5_000` and `60 * 1000`, which name no unit themselves. */
function isPlainNumber(node) {
  if (node?.type === 'Literal') return typeof node.value === 'number' && node.value > 1
  return node?.type === 'BinaryExpression' && isPlainNumber(node.left) && isPlainNumber(node.right)
}

/** Returns the identifiers that a pattern defines; `{ told }` names a property of another object and is left out. */
function listNames(pattern) {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [pattern]
  if (pattern.type === 'AssignmentPattern') return listNames(pattern.left)
  if (pattern.type === 'RestElement') return listNames(pattern.argument)
  if (pattern.type === 'ArrayPattern') return pattern.elements.flatMap(listNames)
  if (pattern.type === 'ObjectPattern')
    return pattern.properties.flatMap((property) =>
      property.type === 'RestElement'
        ? listNames(property.argument)
        : property.shorthand
          ? []
          : listNames(property.value),
    )
  return []
}

const vagueNames = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      suffix:
        '“{{name}}” hides its verb: write get…, find…, format… or name the thing (docs/glossary.md)',
      participle: '“{{name}}” does not say what it is: name the thing (docs/glossary.md)',
      unit: '“{{name}}” needs its unit: …Ms, …Seconds, …Minutes, …Hours or …Days (docs/glossary.md)',
    },
  },
  create(context) {
    const report = (node, messageId) =>
      context.report({ node, messageId, data: { name: node.name } })
    const check = (node) => {
      if (/[a-z]Of$/.test(node.name) && node.name !== 'indexOf') report(node, 'suffix')
      if (bareParticiples.has(node.name)) report(node, 'participle')
    }
    const checkParameters = ({ id, params }) => {
      if (id) check(id)
      params.flatMap(listNames).forEach(check)
    }
    return {
      VariableDeclarator({ id, init }) {
        // Aliases for remotes that were built before keep the former name.
        const comments = context.sourceCode.getCommentsBefore(id.parent.parent.parent)
        if (comments.some(({ value }) => value.includes('@deprecated'))) return
        listNames(id).forEach(check)
        if (id.type === 'Identifier' && durationPattern.test(id.name) && isPlainNumber(init))
          report(id, 'unit')
      },
      FunctionDeclaration: checkParameters,
      FunctionExpression: checkParameters,
      ArrowFunctionExpression: checkParameters,
    }
  },
}

export default { rules: { 'vague-names': vagueNames } }
