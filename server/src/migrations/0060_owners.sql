ALTER TABLE "calendar" ADD COLUMN "project_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "calendar" DROP CONSTRAINT "calendar_name_unique";--> statement-breakpoint
ALTER TABLE "calendar" ADD CONSTRAINT "calendar_name" UNIQUE("project_id","name");--> statement-breakpoint
-- The built-in role for one's own projects held rights on rows that belong to none, which it may not use any more.
DELETE FROM "role_menu" USING "role", "menu"
WHERE "role"."id" = "role_menu"."role_id" AND "menu"."id" = "role_menu"."menu_id"
	AND "role"."builtin" AND "role"."code" = 'project-admin' AND "role"."data_scope" = 'assigned'
	AND "menu"."type" = 'button'
	AND "menu"."permission" ~ '^deviceAccess:(productCategory|product|manufacturer|brand|productType|controlType|communicationProtocol|icon|registrationRule):(add|edit|remove|import|publish|secret)$';
