const ethnicGroups =
  '维吾尔族?|蒙古族?|哈萨克族?|柯尔克孜族?|塔吉克族?|锡伯族?|达斡尔族|鄂温克族|朝鲜族|土家族|布依族|仡佬族|仫佬族|毛南族|傈僳族|拉祜族|布朗族|哈尼族|纳西族|独龙族|普米族|各族|景颇族|裕固族|撒拉族|保安族|东乡族|[壮回苗侗瑶畲黎彝白傣佤藏羌满怒水土各]族'

const autonomousPattern = new RegExp(`^(.{2,}?)(?:${ethnicGroups})*族?自治([区州县旗])$`)
/** These districts are commonly written without the ethnic group: 郑州市管城区. */
const ethnicDistrictPattern = new RegExp(`^(.{2,}?)(?:${ethnicGroups})(区)$`)
const suffixPattern = /^(.{2,}?)(?:特别行政区|新区|矿区|林区|特区|地区|[省市区县旗盟])$/

/**
 * Returns the spellings of a region's name, the full one first; a stem of one character is never used.
 * @example getSpellings('延边朝鲜族自治州') // ['延边朝鲜族自治州', '延边州', '延边']
 */
export function getSpellings(name: string): string[] {
  const [, stemBeforeGroups, kind] =
    autonomousPattern.exec(name) ?? ethnicDistrictPattern.exec(name) ?? []
  if (stemBeforeGroups) return [name, stemBeforeGroups + kind, stemBeforeGroups]
  const [, stem] = suffixPattern.exec(name) ?? []
  return stem ? [name, stem] : [name]
}

export const getStem = (name: string) => getSpellings(name).at(-1)!
