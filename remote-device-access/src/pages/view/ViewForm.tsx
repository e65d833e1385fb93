import { Form, TreeSelect, type TreeSelectProps } from 'antd'
import { useAtomValue } from 'jotai'
import { chosenName, namedOptions } from '@iot/shared/contract/options'
import { roleApi } from '@iot/shared/contract/role'
import type { Tree } from '@iot/shared/contract/tree'
import { View, viewApi, ViewDraft } from '@iot/shared/contract/view'
import { refuseViewPlace } from '@iot/shared/contract/viewPlace'
import { platformOnly } from '@iot/shared/contract/ownership'
import { useCan, useOwnership } from '@iot/shared/session/can'
import { projectOptionsAtom } from '@iot/shared/session/project'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, sendTo } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { ChoiceItem, SortItem, StatusItem, SwitchItem, TextItem } from '@iot/shared/ui/items'
import { taken } from '@iot/shared/ui/taken'
import { useListed, withChosen } from '@iot/shared/ui/useListed'

export type NewView = Pick<View, 'parentId'>

type Choice = { value: string; title: string; disabled: boolean; children: Choice[] }
type ParentSelectProps = TreeSelectProps<string> & { choices: Choice[] }
const ParentSelect = ({ choices, ...rest }: ParentSelectProps) => (
  <TreeSelect
    {...rest}
    {...withChosen(choices, rest.value)}
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
const send = sendTo(viewApi, ViewDraft)

export default function ViewForm({ tree, view, onSaved, onClose }: ViewFormProps) {
  const can = useCan()
  const refuseChange = useOwnership()
  const stored = view !== 'new' && 'id' in view ? view : undefined
  const parentId = view === 'new' ? null : view.parentId
  const { data: roles } = useListed(roleApi.list, { ready: can(roleApi.list) })
  const projects = useAtomValue(projectOptionsAtom)
  const blank: ViewDraft = {
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
  const choices = tree.nested<Choice>(({ id, name }, children) =>
    id === stored?.id
      ? undefined
      : {
          value: id,
          title: name,
          disabled: !!refuseViewPlace(tree, id, stored?.id),
          children,
        },
  )

  return (
    <FormDialog<ViewDraft>
      title={stored ? '编辑视图' : '新建视图'}
      schema={View}
      initial={stored ?? blank}
      to={stored ? viewApi.update : viewApi.create}
      send={(draft, ...rest) => send({ ...draft, parentId: draft.parentId ?? null }, ...rest)}
      show={(name, value) =>
        name === 'parentId'
          ? value
            ? chosenName(namedOptions(tree.ordered()), value)
            : '顶级'
          : name === 'roleIds'
            ? chosenName(namedOptions(roles), value) || '所有角色'
            : name === 'projectIds' && (chosenName(projects, value) || '所有项目')
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
          check={taken('view', 'path', stored?.id)}
          placeholder="如 lights"
        />
        <Form.Item {...field(ViewDraft, 'parentId')}>
          <ParentSelect choices={choices} />
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
          extra={refuseChange([]) ? `默认视图${platformOnly}` : '打开首页时先看到它；只有一个'}
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
          options={can(roleApi.list) ? namedOptions(roles) : []}
        />
        <ChoiceItem
          of={ViewDraft}
          name="projectIds"
          mode="multiple"
          placeholder={refuseChange([]) ? '请选择项目' : '所有项目'}
          extra={refuseChange([]) && `所有项目的视图${platformOnly}`}
          options={projects}
        />
      </FormGroup>
    </FormDialog>
  )
}
