import { Cascader } from 'antd'
import type { CSSProperties } from 'react'
import { provinces } from 'region-data'
import { areasOf, citiesOf } from 'region-data/tree'

type RegionFieldProps = { id?: string; value?: string; onChange?: (code: string | undefined) => void; onAddressRest?: (rest: string) => void; style?: CSSProperties }

const option = ({ code, name }: { code: string; name: string }) => ({ value: code, label: name })
const options = provinces.map((province) => ({
  ...option(province),
  children: citiesOf(province.code).map((city) => ({ ...option(city), children: areasOf(city.code).map(option) })),
}))

/** 省、市、区 as one 6-digit code. */
export default function RegionField({ id, value, onChange, style }: RegionFieldProps) {
  return (
    <Cascader
      id={id}
      style={{ width: '100%', ...style }}
      options={options}
      value={value ? [value.slice(0, 2), value.slice(0, 4), value] : undefined}
      onChange={(codes) => onChange?.(codes?.at(-1))}
      showSearch
      placeholder="请选择省、市、区"
    />
  )
}
