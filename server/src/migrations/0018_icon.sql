CREATE TABLE "icon" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"group" text NOT NULL,
	"on" text NOT NULL,
	"off" text NOT NULL,
	"offline" text NOT NULL,
	"fault" text NOT NULL,
	"tags" text[] NOT NULL,
	"status" text NOT NULL,
	CONSTRAINT "icon_name_unique" UNIQUE("name"),
	CONSTRAINT "icon_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE INDEX "icon_group" ON "icon" USING btree ("group","id");