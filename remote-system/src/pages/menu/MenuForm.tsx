import Form from 'antd/es/form'
import { menuTypeText } from '@iot/shared/contract/access/menu'
import { Menu, MenuDraft } from '@iot/shared/contract/access/menu.schema'
import { menuApi } from '@iot/shared/contract/access/menu.api'
import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import type { Tree } from '@iot/shared/contract/tree'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, createSaveCall } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { RadioItem, SortItem, StatusItem, SwitchItem, TextItem } from '@iot/shared/ui/items'
import { MenuParentSelect } from './MenuParentSelect'

export type NewMenu = Pick<Menu, 'parentId' | 'type'>

type MenuFormProps = {
  tree: Tree<Menu>
  menu: Menu | NewMenu | 'new'
  onSaved: () => void
  onClose: () => void
}

const menuTypeOptions = (['folder', 'page', 'button'] as const).map((value) => ({
  value,
  label: menuTypeText[value],
}))

export default function MenuForm({ tree, menu: menuOrTemplate, onSaved, onClose }: MenuFormProps) {
  const [form] = Form.useForm<MenuDraft>()
  const menu: NewMenu =
    menuOrTemplate === 'new' ? { parentId: null, type: 'folder' } : menuOrTemplate
  const storedMenu = menuOrTemplate !== 'new' && 'id' in menuOrTemplate ? menuOrTemplate : undefined
  const blankMenu: MenuDraft = {
    name: '',
    path: '',
    routeName: '',
    icon: '',
    permission: '',
    visible: true,
    status: 'enabled',
    sort: tree.children(menu.parentId).length + 1,
    ...menu,
  }
  const isBuiltin = storedMenu?.builtin === true
  const type = Form.useWatch('type', form) ?? menu.type

  // A button is a permission, so it has no path.
  const normalizeDraft = (draft: MenuDraft): MenuDraft =>
    draft.type === 'button'
      ? { ...draft, parentId: draft.parentId ?? null, path: '', routeName: '', icon: '' }
      : { ...draft, parentId: draft.parentId ?? null }

  return (
    <FormDialog<MenuDraft>
      title={storedMenu ? `编辑${menuTypeText[storedMenu.type]}` : '新建菜单'}
      schema={Menu}
      initial={storedMenu ?? blankMenu}
      to={storedMenu ? menuApi.update : menuApi.create}
      send={(draft, ...rest) => createSaveCall(menuApi, MenuDraft)(normalizeDraft(draft), ...rest)}
      show={(name, value) =>
        name === 'parentId' &&
        (value ? getSelectedName(toRowOptions(tree.ordered()), value) : '顶级')
      }
      form={form}
      wide
      draft="menu"
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <RadioItem
          of={MenuDraft}
          name="type"
          options={menuTypeOptions}
          disabled={storedMenu !== undefined}
          optionType="button"
        />
        <TextItem of={MenuDraft} name="name" />
        <Form.Item {...field(MenuDraft, 'parentId')} required={type === 'button'}>
          <MenuParentSelect tree={tree} type={type} movedMenu={storedMenu} />
        </Form.Item>
        {type !== 'button' && (
          <Form.Item {...field(MenuDraft, 'icon')}>
            <IconPicker />
          </Form.Item>
        )}
      </FormGroup>
      <FormGroup title={type === 'button' ? '权限' : '页面'}>
        {type !== 'button' && (
          <>
            <TextItem
              of={MenuDraft}
              name="path"
              required={type === 'page'}
              extra={
                isBuiltin ? '内置菜单的路径、路由名和权限码不能修改' : '页面的地址，如 /system/menu'
              }
              disabled={isBuiltin}
            />
            <TextItem
              of={MenuDraft}
              name="routeName"
              required={type === 'page'}
              extra={!isBuiltin && '不能与其他菜单相同，如 system.menu'}
              disabled={isBuiltin}
            />
          </>
        )}
        {type !== 'folder' && (
          <TextItem
            of={MenuDraft}
            name="permission"
            required={type === 'button'}
            extra={!isBuiltin && '拥有此权限的人才能看到，如 system:menu:list'}
            disabled={isBuiltin}
          />
        )}
      </FormGroup>
      <FormGroup title="显示">
        <SortItem of={MenuDraft} name="sort" />
        <StatusItem of={MenuDraft} name="status" />
        {type !== 'button' && <SwitchItem of={MenuDraft} name="visible" />}
      </FormGroup>
    </FormDialog>
  )
}
