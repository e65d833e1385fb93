import { useRequest } from 'ahooks'

/**
 * The full name of a 6-digit code, 广东省 / 深圳市 / 南山区. The data comes after the rows: they need not wait for it.
 * @example <RegionName code={manufacturer.areaCode} />
 */
export function RegionName({ code }: { code: string }) {
  const { data: regions } = useRequest(() => import('region-data/tree'), {
    cacheKey: 'region-data',
    staleTime: -1,
  })
  const name = regions ? regions.labelOf(code, ' / ') || code : ''
  // A narrow column cuts it off.
  return <span title={name}>{name}</span>
}
