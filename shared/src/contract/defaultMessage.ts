/** Error message for a field that the contract does not define. */
export const formatUnknownField = (name: string) => `没有“${name}”这个字段`

type Issue = { code?: string; maximum?: unknown; minimum?: unknown; input?: unknown }

/** Default error message for a field whose rule in the contract brings none. */
export const createDefaultMessage =
  (title: string) =>
  ({ code, maximum, minimum, input }: Issue): string => {
    if (input === undefined || input === null || input === '') return `请填写${title}`
    if (code === 'too_big')
      return typeof input === 'string'
        ? `${title}最多 ${String(maximum)} 个字`
        : Array.isArray(input)
          ? `${title}最多 ${String(maximum)} 项`
          : `${title}不能大于 ${String(maximum)}`
    if (code === 'too_small' && typeof input === 'number')
      return `${title}不能小于 ${String(minimum)}`
    return `${title}不正确`
  }
