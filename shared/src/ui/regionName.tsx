import useRequest from 'ahooks/es/useRequest'

/**
 * Full name of a 6-digit area code, such as 广东省 / 深圳市 / 南山区. Its data loads after the rows, which do not wait for it.
 * @example <RegionName code={manufacturer.areaCode} />
 */
export function RegionName({ code }: { code: string }) {
  const { data: regions } = useRequest(() => import('region-data/tree'), {
    cacheKey: 'region-data',
    staleTime: -1,
  })
  const name = regions ? regions.formatRegionLabel(code, ' / ') || code : ''
  // A narrow column truncates the name, so the title repeats it.
  return <span title={name}>{name}</span>
}
