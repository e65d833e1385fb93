import Form from 'antd/es/form'
import type { TreeSelectProps } from 'antd'
import { useAtomValue } from 'jotai'
import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/access/role.api'
import type { Tree } from '@iot/shared/contract/tree'
import { View, ViewDraft } from '@iot/shared/contract/project/view.schema'
import { viewApi } from '@iot/shared/contract/project/view.api'
import { validateViewParent } from '@iot/shared/contract/project/viewTree'
import { platformOnlyReason } from '@iot/shared/contract/access/ownership'
import { useCan, useOwnershipRefusal } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { ChoiceItem, SortItem, StatusItem, SwitchItem, TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { TreeSelect } from '@iot/shared/ui/treeSelect'
import { usePickerOptions, buildTreeSelectProps } from '@iot/shared/ui/useListed'

export type NewView = Pick<View, 'parentId'>

type ParentOption = { value: string; title: string; disabled: boolean; children: ParentOption[] }
type ParentSelectProps = TreeSelectProps<string> & { choices: ParentOption[] }
const ParentSelect = ({ choices, ...rest }: ParentSelectProps) => (
  <TreeSelect
    {...rest}
    {...buildTreeSelectProps(choices, rest.value)}
    treeDefaultExpandAll
    treeLine
    allowClear
    placeholder="顶级"
  />
)
type ViewFormProps = {
  tree: Tree<View>
  view: View | NewView | 'new'
  onSaved: () => void
  onClose: () => void
}
const sendView = createSaveCall(viewApi, ViewDraft)

export default function ViewForm({ tree, view, onSaved, onClose }: ViewFormProps) {
  const can = useCan()
  const refuseChange = useOwnershipRefusal()
  const storedView = view !== 'new' && 'id' in view ? view : undefined
  const parentId = view === 'new' ? null : view.parentId
  const { data: roles } = usePickerOptions(roleApi.list, { ready: can(roleApi.list) })
  const projects = useAtomValue(projectOptionsAtom)
  const blankView: ViewDraft = {
    parentId,
    name: '',
    path: '',
    icon: '',
    roleIds: [],
    projectIds: [],
    visible: true,
    isDefault: false,
    sort: tree.children(parentId).length + 1,
    status: 'enabled',
  }
  const parentOptions = tree.nested<ParentOption>(({ id, name }, children) =>
    id === storedView?.id
      ? undefined
      : {
          value: id,
          title: name,
          disabled: !!validateViewParent(tree, id, storedView?.id),
          children,
        },
  )

  return (
    <FormDialog<ViewDraft>
      title={storedView ? '编辑视图' : '新建视图'}
      schema={View}
      initial={storedView ?? blankView}
      to={storedView ? viewApi.update : viewApi.create}
      send={(draft, ...rest) => sendView({ ...draft, parentId: draft.parentId ?? null }, ...rest)}
      show={(name, value) =>
        name === 'parentId'
          ? value
            ? getSelectedName(toRowOptions(tree.ordered()), value)
            : '顶级'
          : name === 'roleIds'
            ? getSelectedName(toRowOptions(roles), value) || '所有角色'
            : name === 'projectIds' && (getSelectedName(projects, value) || '所有项目')
      }
      draft="view"
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <TextItem of={ViewDraft} name="name" autoFocus />
        <TextItem
          of={ViewDraft}
          name="path"
          check={uniqueCheck('view', 'path', storedView?.id)}
          placeholder="如 lights"
        />
        <Form.Item {...field(ViewDraft, 'parentId')}>
          <ParentSelect choices={parentOptions} />
        </Form.Item>
        <Form.Item {...field(ViewDraft, 'icon')}>
          <IconPicker />
        </Form.Item>
        <SortItem of={ViewDraft} name="sort" />
        <StatusItem of={ViewDraft} name="status" />
        <SwitchItem of={ViewDraft} name="visible" />
        <SwitchItem
          of={ViewDraft}
          name="isDefault"
          disabled={!!refuseChange([])}
          extra={
            refuseChange([]) ? `默认视图${platformOnlyReason}` : '打开首页时先看到它；只有一个'
          }
        />
      </FormGroup>
      <FormGroup title="谁能看到">
        <ChoiceItem
          of={ViewDraft}
          name="roleIds"
          mode="multiple"
          placeholder="所有角色"
          disabled={!can(roleApi.list)}
          // A user without permission to read roles sees only that roles are assigned.
          options={can(roleApi.list) ? toRowOptions(roles) : []}
        />
        <ChoiceItem
          of={ViewDraft}
          name="projectIds"
          mode="multiple"
          placeholder={refuseChange([]) ? '请选择项目' : '所有项目'}
          extra={refuseChange([]) && `所有项目的视图${platformOnlyReason}`}
          options={projects}
        />
      </FormGroup>
    </FormDialog>
  )
}
