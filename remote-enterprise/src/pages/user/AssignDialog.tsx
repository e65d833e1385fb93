import Form from 'antd/es/form'
import { useAtomValue } from 'jotai'
import type { RowResults } from '@iot/shared/contract/fields.schema'
import { toRowOptions, toTextOptions } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/access/role.api'
import type { Role } from '@iot/shared/contract/access/role.schema'
import { UserAssignment, type AssignmentChange } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { useCan } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { ChoiceItem, RadioItem } from '@iot/shared/ui/items'
import { ProjectsField } from './ProjectsField'

const changeText: Record<AssignmentChange, string> = {
  keep: '不变',
  add: '增加',
  remove: '移除',
  replace: '改为',
}
const changeOptions = toTextOptions(changeText)
const initialAssignment: UserAssignment = {
  roleChange: 'keep',
  roleIds: [],
  projectChange: 'keep',
  projectIds: [],
}

type AssignDialogProps = {
  ids: string[]
  /** The roles are absent until they are read, or if the user may not read them. */
  roles?: Role[]
  send: (assignment: UserAssignment) => Promise<RowResults>
  onAssigned: (rows: RowResults) => void
  onClose: () => void
}

/** Adds, removes or replaces roles and projects of the selected users. */
export default function AssignDialog({ ids, roles, send, onAssigned, onClose }: AssignDialogProps) {
  const projects = useAtomValue(projectOptionsAtom)
  const canListRoles = useCan()(roleApi.list)
  const [form] = Form.useForm<UserAssignment>()
  const { roleChange, projectChange } = Form.useWatch([], form) ?? initialAssignment

  return (
    <FormDialog<UserAssignment>
      title={`分配 ${ids.length} 个用户的角色和项目`}
      schema={UserAssignment}
      form={form}
      initial={initialAssignment}
      draft={`userAssignment/${ids.length}/${ids[0]}`}
      to={userApi.assign}
      send={send}
      words={{ ok: '分配', done: '已处理所选用户' }}
      onSaved={(rows) => onAssigned(rows as RowResults)}
      onClose={onClose}
    >
      <RadioItem
        of={UserAssignment}
        name="roleChange"
        options={changeOptions}
        optionType="button"
        disabled={!canListRoles}
        extra={!canListRoles && '没有查看角色的权限，不能改角色'}
      />
      {roleChange !== 'keep' && (
        <ChoiceItem
          of={UserAssignment}
          name="roleIds"
          mode="multiple"
          extra="不能授予自己没有的权限"
          options={toRowOptions(roles)}
        />
      )}
      <RadioItem
        of={UserAssignment}
        name="projectChange"
        options={changeOptions}
        optionType="button"
      />
      {projectChange !== 'keep' && (
        <Form.Item {...field(UserAssignment, 'projectIds')}>
          <ProjectsField
            projects={projects}
            whyNotAll={projectChange === 'remove' && '移除时请指定项目'}
            whyAll={false}
          />
        </Form.Item>
      )}
    </FormDialog>
  )
}
