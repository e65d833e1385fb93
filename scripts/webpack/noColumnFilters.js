/** Replaces antd's filter dropdown in tables; see `host.ts`. */
export const flattenKeys = () => []
export default function NoColumnFilters() {
  throw new Error('Table columns take no `filters` here: use Filters above the table')
}
