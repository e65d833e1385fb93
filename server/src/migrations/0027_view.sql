CREATE TABLE "view" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"parent_id" uuid,
	"name" text NOT NULL,
	"path" text NOT NULL,
	"icon" text NOT NULL,
	"role_ids" uuid[] NOT NULL,
	"project_ids" integer[] NOT NULL,
	"visible" boolean NOT NULL,
	"is_default" boolean NOT NULL,
	"sort" integer NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "view_path_unique" UNIQUE("path")
);
