/** The build imports the declarations of a remote in Node, where `@iot/shared` must resolve to the files of the kit. */
export const resolve = (specifier, context, next) => {
  const [, path] = /^@iot\/shared\/(.+)$/.exec(specifier) ?? []
  return next(path ? new URL(`../shared/src/${path}.ts`, import.meta.url).href : specifier, context)
}
