import { provinces } from 'region-data'
import { getAreas, getCities } from 'region-data/tree'
import type { PickerInitialState } from './onDemand'
import { Cascader } from './cascader'

const option = ({ code, name }: { code: string; name: string }) => ({ value: code, label: name })
const options = provinces.map((province) => ({
  ...option(province),
  children: getCities(province.code).map((city) => ({
    ...option(city),
    children: getAreas(city.code).map(option),
  })),
}))
const levels = [2, 4, 6]

type RegionFilterProps = PickerInitialState & {
  id?: string
  value?: string
  onChange?: (code: string | undefined) => void
}

/**
 * Picker for a province, city or district: a code of 2, 4 or 6 digits that includes everything below it. It is large,
 * so import it lazily.
 */
export default function RegionFilter({
  id,
  value,
  onChange,
  autoFocus,
  defaultOpen,
}: RegionFilterProps) {
  return (
    <Cascader
      id={id}
      autoFocus={autoFocus}
      defaultOpen={defaultOpen}
      style={{ width: 180 }}
      options={options}
      changeOnSelect
      showSearch
      value={
        value
          ? levels
              .filter((length) => length <= value.length)
              .map((length) => value.slice(0, length))
          : undefined
      }
      onChange={(codes) => onChange?.(codes?.at(-1))}
      placeholder="所在地区"
      aria-label="所在地区"
    />
  )
}
