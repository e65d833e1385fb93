import Alert from 'antd/es/alert'
import Checkbox from 'antd/es/checkbox'
import Form from 'antd/es/form'
import {
  grantableDeviceRights,
  formatDeviceRights,
  devicePermissions,
} from '@iot/shared/contract/device/devicePermissions'
import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import { dataScopeText } from '@iot/shared/contract/access/role'
import { Role, RoleChange, RoleDraft } from '@iot/shared/contract/access/role.schema'
import { roleApi } from '@iot/shared/contract/access/role.api'
import { field } from '@iot/shared/ui/field'
import { FormDialog, createSaveCall } from '@iot/shared/ui/formDialog'
import { NotesItem, RadioItem, TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { usePickerOptions } from '@iot/shared/ui/useListed'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { PermissionTree } from './PermissionTree'

const blankRole: RoleDraft = {
  name: '',
  code: '',
  description: '',
  menuIds: [],
  dataScope: 'assigned',
  deviceRights: ['view'],
}
const dataScopeOptions = (['all', 'assigned'] as const).map((value) => ({
  value,
  label: dataScopeText[value],
}))
const deviceRightOptions = grantableDeviceRights.map((value) => ({
  value,
  label: devicePermissions[value].title,
}))

type RoleFormProps = { role?: Role; roles: Role[]; onSaved: () => void; onClose: () => void }

export default function RoleForm({ role, roles, onSaved, onClose }: RoleFormProps) {
  const { data: grantable, error, refresh } = usePickerOptions(roleApi.grantable)
  const isEditable = !role?.everything
  return (
    <FormDialog<RoleDraft>
      title={role ? '编辑角色' : '新建角色'}
      schema={Role}
      draft="role"
      initial={role ?? blankRole}
      send={createSaveCall(roleApi, RoleDraft, RoleChange)}
      show={(name, value) =>
        name === 'menuIds'
          ? getSelectedName(grantable && toRowOptions(grantable), value)
          : name === 'dataScope'
            ? dataScopeText[value as Role['dataScope']]
            : name === 'deviceRights' && formatDeviceRights(value as Role['deviceRights'])
      }
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', columnGap: 16 }}>
        <TextItem
          of={RoleDraft}
          name="name"
          check={uniqueCheck('role', 'name', role?.id)}
          autoFocus
        />
        <TextItem
          of={RoleDraft}
          name="code"
          check={role ? undefined : uniqueCheck('role', 'code')}
          extra={role ? undefined : '保存后不能修改'}
          disabled={role !== undefined}
        />
      </div>
      <NotesItem of={RoleDraft} name="description" />
      <RadioItem
        of={RoleDraft}
        name="dataScope"
        options={dataScopeOptions}
        disabled={!isEditable}
        extra="产品、厂商、图标、菜单等各项目共用的配置，只有“全部项目”可以更改，其他只能查看"
      />
      <Form.Item {...field(RoleDraft, 'deviceRights')}>
        <Checkbox.Group options={deviceRightOptions} disabled={!isEditable} />
      </Form.Item>
      {isEditable ? (
        <Form.Item {...field(RoleDraft, 'menuIds')} extra="只列出您自己拥有的权限">
          {!grantable && error ? (
            <LoadErrorAlert why={error.message} hasRows={false} onRetry={refresh} />
          ) : (
            <PermissionTree nodes={grantable} roles={roles} />
          )}
        </Form.Item>
      ) : (
        <Alert
          type="info"
          showIcon
          title="此角色始终拥有全部权限，包括以后新增的；只能修改名称和说明。"
        />
      )}
    </FormDialog>
  )
}
