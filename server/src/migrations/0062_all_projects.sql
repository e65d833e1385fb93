ALTER TABLE "user_account" ADD COLUMN "all_projects" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- An empty list meant every project to who had a role of that scope, and none to everybody else; it keeps what it meant.
UPDATE "user_account" SET "all_projects" = true, "project_ids" = '{}'
WHERE EXISTS (
	SELECT 1 FROM "user_role" INNER JOIN "role" ON "role"."id" = "user_role"."role_id"
	WHERE "user_role"."user_id" = "user_account"."id"
		AND ("role"."everything" OR ("role"."data_scope" = 'all' AND cardinality("user_account"."project_ids") = 0))
);
