import { roleApi } from '@iot/shared/contract/access/role.api'
import type { Filter } from '@iot/shared/ui/filters'
import { Select } from '@iot/shared/ui/select'
import { buildSelectProps, usePickerOptions } from '@iot/shared/ui/useListed'
import { toRightOptions } from './rights'

type RightSelectProps = { value?: string; width: number; onChange: (permission?: string) => void }

/** Select of a right. Its options load when it is shown, because few who open the list ask for it. */
export function RightSelect({ value, width, onChange }: RightSelectProps) {
  const { data } = usePickerOptions(roleApi.rights)
  return (
    <Select
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="谁能…"
      aria-label="谁能"
      {...buildSelectProps(toRightOptions(data))}
      popupMatchSelectWidth={false}
      style={{ width }}
      value={value}
      onChange={onChange}
    />
  )
}

function RightName({ permission }: { permission: string }) {
  const { data } = usePickerOptions(roleApi.rights)
  return toRightOptions(data)?.find(({ value }) => value === permission)?.label ?? permission
}

/** Filter for users who may use a right now. */
export const rightFilter: Filter = {
  names: ['permission'],
  title: '谁能',
  control: ({ permission }, change) => (
    <RightSelect
      value={permission}
      width={220}
      onChange={(newPermission) => change({ permission: newPermission })}
    />
  ),
  shown: ({ permission = '' }) => <RightName permission={permission} />,
}
