import { Select, type SelectProps } from 'antd'
import type { Known } from '@iot/shared/contract/options'
import { listedOnly } from '@iot/shared/ui/useListed'
import type { usePlaces } from './usePlaces'

type PlaceSelectProps = Pick<SelectProps, 'id' | 'value' | 'onChange'> & {
  /** The spaces of the project are `undefined` until they are read. */
  places: ReturnType<typeof usePlaces>
  known?: Known
}

/** Selects a space of a project, or none. */
export const PlaceSelect = ({ places, known, value, ...rest }: PlaceSelectProps) => (
  <Select
    {...rest}
    value={(value as string | null) ?? undefined}
    allowClear
    showSearch={{ optionFilterProp: 'label' }}
    placeholder="未放置"
    {...listedOnly(places, known)}
    onChange={(place?: string) => rest.onChange?.(place ?? null, [])}
  />
)
