import Flex from 'antd/es/flex'
import Radio from 'antd/es/radio'
import Typography from 'antd/es/typography'
import { allProjectsLabel } from '@iot/shared/contract/access/user'
import type { UserDraft } from '@iot/shared/contract/access/user.schema'
import { DisabledWithReason } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'

type ProjectSelection = UserDraft['projectIds']
type ProjectsFieldProps = {
  projects: { value: number; label: string }[]
  /** The selected roles exclude access to all projects for this reason; `whyAll` is the reason why they require it. */
  whyNotAll: string | false
  whyAll: string | false
  id?: string
  value?: ProjectSelection
  onChange?: (selection: ProjectSelection) => void
}

/** Chooses between all projects, future ones included, and named projects; an empty field means neither. */
export function ProjectsField({
  projects,
  whyNotAll,
  whyAll,
  id,
  value = [],
  onChange,
}: ProjectsFieldProps) {
  const isAll = value === 'all'
  return (
    <Flex vertical gap={8}>
      <Radio.Group value={isAll} onChange={({ target }) => onChange?.(target.value ? 'all' : [])}>
        <DisabledWithReason why={!isAll && whyNotAll}>
          <Radio value={true}>{allProjectsLabel}</Radio>
        </DisabledWithReason>
        <DisabledWithReason why={isAll && whyAll}>
          <Radio value={false}>指定项目</Radio>
        </DisabledWithReason>
      </Radio.Group>
      {isAll ? (
        <Typography.Text type="secondary">包括以后新建的项目</Typography.Text>
      ) : (
        <Select
          id={id}
          aria-label="指定项目"
          mode="multiple"
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          placeholder="请选择项目"
          options={projects}
          value={value}
          onChange={onChange}
        />
      )}
    </Flex>
  )
}
