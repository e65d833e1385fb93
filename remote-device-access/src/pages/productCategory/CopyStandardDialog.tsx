import useRequest from 'ahooks/es/useRequest'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import Spin from 'antd/es/spin'
import Tree from 'antd/es/tree'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import type {
  ProductCategory,
  StandardCategory,
} from '@iot/shared/contract/product/category.schema'
import { productCategoryApi, standardCategoryApi } from '@iot/shared/contract/product/category.api'
import { normalizeForSearch } from '@iot/shared/contract/text'
import type { Tree as CategoryTree } from '@iot/shared/contract/tree'
import { useFeedback } from '@iot/shared/ui/feedback'
import { PermissionModal } from '@iot/shared/ui/rightModal'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import { useComposedText } from '@iot/shared/ui/composition'
import { CategorySelect } from './CategorySelect'

type CopyStandardDialogProps = {
  tree: CategoryTree<ProductCategory>
  parentId: string | null
  onCopied: () => void
  onClose: () => void
}

const maxNamesShown = 4
const describeFunctions = ({ model }: StandardCategory) => {
  const names = [...model.properties, ...model.services, ...model.events].map(({ name }) => name)
  const firstNames = names.slice(0, maxNamesShown).join('、')
  return names.length > maxNamesShown ? `${firstNames} 等 ${names.length} 项` : firstNames
}

/**
 * Copies categories with their functions from the platform's standard library; those not yet present are preselected.
 */
export default function CopyStandardDialog({
  tree,
  parentId: initialParentId,
  onCopied,
  onClose,
}: CopyStandardDialogProps) {
  const { message } = useFeedback()
  const [parentId, setParentId] = useState(initialParentId)
  const [searchText, setSearchText] = useState('')
  const composedSearch = useComposedText(searchText)
  const [selectedCodes, setSelectedCodes] = useState<string[]>()
  const {
    data: library = [],
    error,
    loading,
    refresh,
  } = useRequest(() => call(standardCategoryApi.list, {}, { inline: true }))
  const existingCodes = new Set(tree.ordered().map(({ code }) => code))
  const newCodes = library.filter(({ code }) => !existingCodes.has(code)).map(({ code }) => code)
  const codes = selectedCodes ?? newCodes

  const matchingCategories = library.filter((category) =>
    normalizeForSearch(`${category.name} ${category.group} ${category.code}`).includes(
      normalizeForSearch(composedSearch),
    ),
  )
  const groups = [...new Set(matchingCategories.map(({ group }) => group))]
  const visibleCodes = new Set(matchingCategories.map(({ code }) => code))
  // Categories hidden by the search are not copied, because the user sees only the matches.
  const codesToCopy = codes.filter((code) => visibleCodes.has(code))

  const { run: copy, loading: isCopying } = useRequest(
    () => call(productCategoryApi.copyStandard, { parentId, codes: codesToCopy }),
    {
      manual: true,
      onError: () => {},
      onSuccess({ copied: copiedCount }) {
        message.success(`已复制 ${copiedCount} 个品类，功能已发布为版本 1`)
        onCopied()
        onClose()
      },
    },
  )
  return (
    <PermissionModal
      open
      to={productCategoryApi.copyStandard}
      title="从标准品类库复制"
      width={640}
      style={{ top: 40 }}
      okText={`复制 ${codesToCopy.length} 个`}
      okButtonProps={{ disabled: codesToCopy.length === 0 }}
      confirmLoading={isCopying}
      onOk={copy}
      onCancel={onClose}
    >
      <Flex vertical gap={12}>
        <Form.Item label="放到" htmlFor="copyInto" style={{ margin: 0 }}>
          <CategorySelect
            id="copyInto"
            tree={tree}
            value={parentId ?? undefined}
            onChange={(id?: string) => setParentId(id ?? null)}
          />
        </Form.Item>
        <Input
          allowClear
          placeholder="搜索标准品类，如 灯"
          aria-label="搜索标准品类"
          value={searchText}
          onChange={({ target }) => setSearchText(target.value)}
        />
        {error && (
          <LoadErrorAlert why={error.message} hasRows={library.length > 0} onRetry={refresh} />
        )}
        <Spin spinning={loading}>
          <div style={{ height: 'calc(100vh - 400px)', minHeight: 200, overflow: 'auto' }}>
            {groups.length > 0 && (
              <Tree
                key={groups.join()}
                checkable
                selectable={false}
                defaultExpandAll
                checkedKeys={codesToCopy}
                onCheck={(treeKeys) => {
                  const checkedVisibleCodes = (treeKeys as string[]).filter((key) =>
                    visibleCodes.has(key),
                  )
                  setSelectedCodes([
                    ...codes.filter((code) => !visibleCodes.has(code)),
                    ...checkedVisibleCodes,
                  ])
                }}
                treeData={groups.map((group) => ({
                  key: `group:${group}`,
                  title: group,
                  children: matchingCategories
                    .filter((category) => category.group === group)
                    .map((category) => ({
                      key: category.code,
                      disabled: existingCodes.has(category.code),
                      title: existingCodes.has(category.code)
                        ? `${category.name}（已有）`
                        : `${category.name}：${describeFunctions(category)}`,
                    })),
                }))}
              />
            )}
            {!loading && !error && groups.length === 0 && '没有找到，换个词试试'}
          </div>
        </Spin>
      </Flex>
    </PermissionModal>
  )
}
