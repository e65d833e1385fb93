import Form from 'antd/es/form'
import {
  ProductCategory,
  ProductCategoryChange,
  ProductCategoryDraft,
} from '@iot/shared/contract/product/category.schema'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { getSelectedName, toRowOptions } from '@iot/shared/contract/options'
import type { Tree } from '@iot/shared/contract/tree'
import { field } from '@iot/shared/ui/field'
import { FormDialog, createSaveCall } from '@iot/shared/ui/formDialog'
import { IconPicker } from '@iot/shared/ui/iconPicker'
import { NotesItem, SortItem, TextItem } from '@iot/shared/ui/items'
import { uniqueCheck } from '@iot/shared/ui/taken'
import { CategorySelect } from './CategorySelect'

export type NewCategory = Pick<ProductCategory, 'parentId'>

const sendCategory = createSaveCall(productCategoryApi, ProductCategoryDraft, ProductCategoryChange)

type CategoryFormProps = {
  tree: Tree<ProductCategory>
  category: ProductCategory | NewCategory | 'new'
  onSaved: (row: unknown) => void
  onClose: () => void
}

export default function CategoryForm({ tree, category, onSaved, onClose }: CategoryFormProps) {
  const [form] = Form.useForm<ProductCategoryDraft>()
  const storedCategory = category !== 'new' && 'id' in category ? category : undefined
  const parentId = category === 'new' ? null : category.parentId
  const blankCategory: ProductCategoryDraft = {
    parentId,
    name: '',
    code: '',
    icon: '',
    description: '',
    sort: tree.children(parentId).length + 1,
  }
  // A cleared picker returns `undefined`, but the root is `null`.
  const getParentId = () => (form.getFieldValue('parentId') as string | undefined) ?? null
  const checkNameIsFree = async (name: string) =>
    tree.children(getParentId()).some((row) => row.name === name && row.id !== storedCategory?.id)
      ? `同级已有品类“${name}”`
      : undefined

  return (
    <FormDialog<ProductCategoryDraft>
      title={storedCategory ? '编辑品类' : '新建品类'}
      schema={ProductCategory}
      initial={storedCategory ?? blankCategory}
      to={storedCategory ? productCategoryApi.update : productCategoryApi.create}
      send={(draft, ...rest) =>
        sendCategory({ ...draft, parentId: draft.parentId ?? null }, ...rest)
      }
      show={(name, value) =>
        name === 'parentId' &&
        (value ? getSelectedName(toRowOptions(tree.ordered()), value) : '顶级')
      }
      form={form}
      draft="productCategory"
      onSaved={onSaved}
      onClose={onClose}
    >
      <TextItem
        of={ProductCategoryDraft}
        name="name"
        check={checkNameIsFree}
        dependencies={['parentId']}
      />
      <Form.Item {...field(ProductCategoryDraft, 'parentId')}>
        <CategorySelect tree={tree} movedId={storedCategory?.id} />
      </Form.Item>
      <TextItem
        of={ProductCategoryDraft}
        name="code"
        check={uniqueCheck('productCategory', 'code', storedCategory?.id)}
        extra="保存后不能修改"
        disabled={!!storedCategory}
      />
      <Form.Item {...field(ProductCategoryDraft, 'icon')}>
        <IconPicker />
      </Form.Item>
      <NotesItem of={ProductCategoryDraft} name="description" />
      <SortItem of={ProductCategoryDraft} name="sort" />
    </FormDialog>
  )
}
