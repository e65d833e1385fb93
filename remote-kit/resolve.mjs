/** The build runs what a remote declares: in Node, too, `@iot/shared` is what the kit brings. */
export const resolve = (specifier, context, next) => {
  const [, path] = /^@iot\/shared\/(.+)$/.exec(specifier) ?? []
  return next(path ? new URL(`../shared/src/${path}.ts`, import.meta.url).href : specifier, context)
}
