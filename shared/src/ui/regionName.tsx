import { useRequest } from 'ahooks'

/**
 * The full name of a 6-digit code, 广东省 / 深圳市 / 南山区. The data comes after the rows: they need not wait for it.
 * @example <RegionName code={manufacturer.areaCode} />
 */
export function RegionName({ code }: { code: string }) {
  const { data: regions } = useRequest(() => import('region-data'), { cacheKey: 'region-data', staleTime: -1 })
  return regions ? fullName(regions, code) || code : ''
}

export const fullName = ({ lookup }: Pick<typeof import('region-data'), 'lookup'>, code: string) => {
  const names = [lookup(code.slice(0, 2)), lookup(code.slice(0, 4), 'city'), lookup(code, 'area')].map((region) => region?.name)
  // 东莞市 and the like are city and district at once.
  return names.filter((name, i) => name && name !== names[i - 1]).join(' / ')
}
