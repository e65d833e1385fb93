type Deprecable = { identifier: string; name: string; isDeprecated?: boolean }

export const deprecatedText = '已弃用'

/**
 * Tells whether a function is offered for a new use. A deprecated one is offered only where it is already chosen, so
 * that an existing scene or rule can be saved unchanged.
 */
export const isOffered = (
  { identifier, isDeprecated }: Deprecable,
  chosenIdentifiers: readonly string[] = [],
) => !isDeprecated || chosenIdentifiers.includes(identifier)

/** Returns the name of a function in a list of choices, with the mark of a deprecated one. */
export const formatFunctionName = ({ name, isDeprecated }: Omit<Deprecable, 'identifier'>) =>
  isDeprecated ? `${name}（${deprecatedText}）` : name
