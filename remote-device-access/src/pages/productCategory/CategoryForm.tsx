import { Form } from 'antd'
import {
  ProductCategory,
  productCategoryApi,
  ProductCategoryChange,
  ProductCategoryDraft,
} from '@iot/shared/contract/category'
import { chosenName, namedOptions } from '@iot/shared/contract/options'
import type { Tree } from '@iot/shared/contract/tree'
import { field } from '@iot/shared/ui/field'
import { FormDialog, sendTo } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { NotesItem, SortItem, TextItem } from '@iot/shared/ui/items'
import { taken } from '@iot/shared/ui/taken'
import { CategoryParent } from './CategoryParent'

export type NewCategory = Pick<ProductCategory, 'parentId'>

const send = sendTo(productCategoryApi, ProductCategoryDraft, ProductCategoryChange)

type CategoryFormProps = {
  tree: Tree<ProductCategory>
  category: ProductCategory | NewCategory | 'new'
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function CategoryForm({ tree, category, onSaved, onClose }: CategoryFormProps) {
  const [form] = Form.useForm<ProductCategoryDraft>()
  const stored = category !== 'new' && 'id' in category ? category : undefined
  const parentId = category === 'new' ? null : category.parentId
  const blank: ProductCategoryDraft = {
    parentId,
    name: '',
    code: '',
    icon: '',
    description: '',
    sort: tree.children(parentId).length + 1,
  }
  // A cleared picker returns `undefined`, but the root is `null`.
  const above = () => (form.getFieldValue('parentId') as string | undefined) ?? null
  const isFree = async (name: string) =>
    tree.children(above()).some((row) => row.name === name && row.id !== stored?.id)
      ? `同级已有品类“${name}”`
      : undefined

  return (
    <FormDialog<ProductCategoryDraft>
      title={stored ? '编辑品类' : '新建品类'}
      schema={ProductCategory}
      initial={stored ?? blank}
      to={stored ? productCategoryApi.update : productCategoryApi.create}
      send={(draft, ...rest) => send({ ...draft, parentId: draft.parentId ?? null }, ...rest)}
      show={(name, value) =>
        name === 'parentId' && (value ? chosenName(namedOptions(tree.ordered()), value) : '顶级')
      }
      form={form}
      draft="productCategory"
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem of={ProductCategoryDraft} name="name" check={isFree} dependencies={['parentId']} />
      <Form.Item {...field(ProductCategoryDraft, 'parentId')}>
        <CategoryParent tree={tree} of={stored?.id} />
      </Form.Item>
      <TextItem
        of={ProductCategoryDraft}
        name="code"
        check={taken('productCategory', 'code', stored?.id)}
        extra="保存后不能修改"
        disabled={!!stored}
      />
      <Form.Item {...field(ProductCategoryDraft, 'icon')}>
        <IconPicker />
      </Form.Item>
      <NotesItem of={ProductCategoryDraft} name="description" />
      <SortItem of={ProductCategoryDraft} name="sort" />
    </FormDialog>
  )
}
