import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { useAtomValue } from 'jotai'
import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import type { Role } from '@iot/shared/contract/access/role.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { allProjectsLabel } from '@iot/shared/contract/access/user'
import { User, UserChange, UserDraft } from '@iot/shared/contract/access/user.schema'
import { userApi } from '@iot/shared/contract/access/user.api'
import { useCan } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { ChoiceItem } from '@iot/shared/ui/items'
import { ExpiryDateItem } from '@iot/shared/ui/untilItem'
import { ProjectsField } from './ProjectsField'

const blankUser: UserDraft = {
  username: '',
  name: '',
  phone: '',
  email: '',
  roleIds: [],
  projectIds: [],
  expireTime: null,
}

type UserFormProps = {
  user?: User
  /** The roles are absent until they are read, or if the user may not read them. */
  roles?: Role[]
  onCreated: (secret: { username: string; password: string }) => void
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function UserForm({ user, roles, onCreated, onSaved, onClose }: UserFormProps) {
  const projects = useAtomValue(projectOptionsAtom)
  const [form] = Form.useForm<UserDraft>()
  const selectedRoleIds = Form.useWatch('roleIds', form) ?? user?.roleIds ?? []
  // Rules about roles are checked only for roles that are known.
  const selectedRoles = roles?.filter(({ id }) => selectedRoleIds.includes(id)) ?? []
  const ownRoleOptions =
    user?.roleIds.map((value, roleIndex) => ({
      value,
      label: user.roleNames[roleIndex] ?? value,
    })) ?? []
  const roleNamesById = Object.fromEntries(ownRoleOptions.map(({ value, label }) => [value, label]))
  // A user who may not list roles still sees the names of the assigned roles.
  const roleOptions = useCan()(roleApi.list) ? toRowOptions(roles) : ownRoleOptions

  return (
    <FormDialog<UserDraft>
      title={user ? '编辑用户' : '新建用户'}
      schema={User}
      form={form}
      wide
      draft="user"
      initial={user ?? blankUser}
      to={user ? userApi.update : userApi.create}
      send={async (draft, revision, options) => {
        const savedUser = await createSaveCall(userApi, UserDraft, UserChange)(
          draft,
          revision,
          options,
        )
        if (!('password' in savedUser)) return savedUser
        onCreated({ username: draft.username, password: savedUser.password })
      }}
      show={(name, value) =>
        name === 'roleIds'
          ? getSelectedName(roleOptions, value, roleNamesById)
          : name === 'projectIds' &&
            (value === 'all' ? allProjectsLabel : getSelectedName(projects, value) || '没有项目')
      }
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="账号">
        <Form.Item
          {...field(UserDraft, 'username')}
          extra={user ? undefined : '登录用，保存后不能修改'}
        >
          <Input autoFocus={!user} disabled={user !== undefined} autoComplete="off" />
        </Form.Item>
        <Form.Item {...field(UserDraft, 'name')}>
          <Input autoFocus={!!user} autoComplete="off" />
        </Form.Item>
        <Form.Item {...field(UserDraft, 'phone')}>
          <Input autoComplete="off" />
        </Form.Item>
        <Form.Item {...field(UserDraft, 'email')}>
          <Input autoComplete="off" />
        </Form.Item>
      </FormGroup>
      <FormGroup title="权限">
        <ChoiceItem
          of={UserDraft}
          name="roleIds"
          mode="multiple"
          extra="不能授予自己没有的权限"
          options={roleOptions}
          known={roleNamesById}
        />
        <Form.Item {...field(UserDraft, 'projectIds')}>
          <ProjectsField
            projects={projects}
            whyNotAll={
              selectedRoles.length > 0 &&
              selectedRoles.every(({ dataScope }) => dataScope === 'assigned') &&
              '所选角色只能看分配的项目，请指定项目'
            }
            whyAll={
              selectedRoles.some(({ everything }) => everything) && '平台管理员总是管理全部项目'
            }
          />
        </Form.Item>
        <ExpiryDateItem of={UserDraft} name="expireTime" />
      </FormGroup>
    </FormDialog>
  )
}
