import { Select, type SelectProps } from 'antd'
import { listedOnly } from '@iot/shared/ui/useListed'
import { usePlaces } from './usePlaces'

type PlaceSelectProps = Pick<SelectProps, 'id' | 'value' | 'onChange'> & { projectId: number }

/** A place of a project, or none. */
export const PlaceSelect = ({ projectId, value, ...rest }: PlaceSelectProps) => (
  <Select
    {...rest}
    value={(value as string | null) ?? undefined}
    allowClear
    showSearch={{ optionFilterProp: 'label' }}
    placeholder="未放置"
    {...listedOnly(usePlaces(projectId))}
    onChange={(place?: string) => rest.onChange?.(place ?? null, [])}
  />
)
