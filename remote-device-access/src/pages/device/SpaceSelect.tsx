import type { SelectProps } from 'antd'
import type { NamesById } from '@iot/shared/contract/options'
import { Select } from '@iot/shared/ui/select'
import { buildSelectProps } from '@iot/shared/ui/useListed'
import type { useSpaceOptions } from './useSpaceOptions'

type SpaceSelectProps = Pick<SelectProps, 'id' | 'value' | 'onChange'> & {
  /** The spaces of the project are `undefined` until they are read. */
  spaces: ReturnType<typeof useSpaceOptions>
  namesById?: NamesById
}

/** Selects a space of a project, or none. */
export const SpaceSelect = ({ spaces, namesById, value, ...rest }: SpaceSelectProps) => (
  <Select
    {...rest}
    value={(value as string | null) ?? undefined}
    allowClear
    showSearch={{ optionFilterProp: 'label' }}
    placeholder="未放置"
    {...buildSelectProps(spaces, namesById)}
    onChange={(spaceId?: string) => rest.onChange?.(spaceId ?? null, [])}
  />
)
